"""Our own web: passages of pages the user added, and the built-in collection."""
