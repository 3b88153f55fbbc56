"""The built-in bots, one file each; found through the entry point group ``sixtysix.agents`` like anyone's."""
