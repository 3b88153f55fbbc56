#!/usr/bin/env perl
# example_bot.py once more, in Perl: sixtysix pit "cmd:perl configs/examples/example_bot.pl" random
use strict;
use warnings;
use JSON::PP;

$| = 1;    # every line goes out at once
my $ranks  = "9JQKTA";
my %points = (9 => 0, J => 2, Q => 3, K => 4, T => 10, A => 11);

sub choose {
    my ($view) = @_;
    for my $action (@{ $view->{legal} }) {
        return $action if $action =~ /^(DRAW|EXCHANGE|MELD)/;
        return $action if $action eq "DECLARE" && $view->{points}[0] >= 66;
    }
    my ($trump, $led) = @$view{ "trump", "led" };
    my @cards = map { /^PLAY (..)/ ? [split //, $1] : () } @{ $view->{legal} };
    @cards = sort { ($a->[1] eq $trump) <=> ($b->[1] eq $trump) || $points{ $a->[0] } <=> $points{ $b->[0] } } @cards;
    my ($led_rank, $led_suit) = split //, $led // "";
    for (defined $led ? @cards : ()) {
        my ($rank, $suit) = @$_;
        my $heads  = $suit eq $led_suit && index($ranks, $rank) > index($ranks, $led_rank);
        my $trumps = $suit eq $trump    && $suit ne $led_suit   && $points{$led_rank} >= 10;
        return "PLAY $rank$suit" if $heads || $trumps;
    }
    return "PLAY " . join "", @{ $cards[0] };
}

while (my $line = <STDIN>) {
    my $message = decode_json $line;
    my $type    = $message->{type};
    print encode_json({ type => "ready", protocol => 1, name => "example in Perl" }), "\n" if $type eq "hello";
    print encode_json({ action => choose($message) }), "\n" if $type eq "move";
    last if $type eq "quit";
}
