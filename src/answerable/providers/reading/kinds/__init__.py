"""Kinds of documents, a file each: bytes or text in, `Extracted` out. Pure; run in the extraction processes."""
