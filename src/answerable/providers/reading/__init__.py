"""The one guarded door to the web, and what it makes of pages."""
