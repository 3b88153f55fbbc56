"""The rule presets, one TOML file each; `harness.game.presets` reads them."""
