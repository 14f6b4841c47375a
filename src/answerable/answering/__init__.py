"""The engine: knows no HTTP, no SQL, no vendor. Start with pipeline.py."""
