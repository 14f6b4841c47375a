"""What overlap cannot see: each way in which a claim differs from its evidence, with its reason. Pure."""
