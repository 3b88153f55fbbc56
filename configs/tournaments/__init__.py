"""Ready-made tournaments, one TOML file each."""
