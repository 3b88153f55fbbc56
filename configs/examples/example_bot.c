/* example_bot.py once more, in C, without a JSON library: the fields of protocol 1 are found by their names.
   cc -O2 -o example_bot configs/examples/example_bot.c && sixtysix pit cmd:./example_bot random */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const ranks = "9JQKTA";
static const int points[] = {0, 2, 3, 4, 10, 11};

static int rank_of(const char *card) { return (int)(strchr(ranks, card[0]) - ranks); }

/* Return what stands behind "name": in a message. */
static const char *field(const char *message, const char *name) {
    char key[32];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(message, key);
    return at ? at + strlen(key) : "";
}

static void answer(const char *action) {
    printf("{\"action\":\"%.*s\"}\n", (int)strcspn(action, "\""), action);
}

static void choose(const char *message) {
    const char *cards[8] = {0}, *legal = field(message, "legal"), *led = field(message, "led");
    char trump = field(message, "trump")[1];
    int n_cards = 0;
    for (const char *at = strchr(legal, '"'); at && at < strchr(legal, ']'); at = strchr(strchr(at + 1, '"') + 1, '"')) {
        const char *action = at + 1;
        if (!strncmp(action, "PLAY", 4)) cards[n_cards++] = action + 5;
        else if (!strncmp(action, "DECLARE", 7) ? atoi(field(message, "points") + 1) >= 66 : action[0] != 'C') {
            answer(action);
            return;
        }
    }
    for (int i = 1; i < n_cards; i++)     /* the cheapest first, trumps last; cards of equal worth stay in order */
        for (int j = i; j > 0; j--) {
            const char *low = cards[j - 1], *high = cards[j];
            if (20 * (low[1] == trump) + points[rank_of(low)] <= 20 * (high[1] == trump) + points[rank_of(high)]) break;
            cards[j - 1] = high, cards[j] = low;
        }
    const char *choice = cards[0];
    for (int i = n_cards - 1; i >= 0 && led[0] == '"'; i--) {     /* of those that take the trick, the cheapest */
        const char *card = cards[i], *lead = led + 1;
        int heads = card[1] == lead[1] && rank_of(card) > rank_of(lead);
        if (heads || (card[1] == trump && trump != lead[1] && points[rank_of(lead)] >= 10)) choice = card;
    }
    printf("{\"action\":\"PLAY %.2s\"}\n", choice);
}

int main(void) {
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        const char *type = field(line, "type") + 1;
        if (!strncmp(type, "hello", 5)) puts("{\"type\":\"ready\",\"protocol\":1,\"name\":\"example in C\"}");
        if (!strncmp(type, "move", 4)) choose(line);
        if (!strncmp(type, "quit", 4)) break;
        fflush(stdout);
    }
    return 0;
}
