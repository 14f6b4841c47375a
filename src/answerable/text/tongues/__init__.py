"""What other languages than English ask with and answer with: small word lists, and how they are matched. Pure."""
