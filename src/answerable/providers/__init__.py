"""One file per vendor behind each protocol; vendor libraries and HTTP clients live only here."""
