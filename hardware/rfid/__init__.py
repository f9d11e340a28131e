"""ISO 14443-3 over any transceiver, and the MFRC522 as one."""
