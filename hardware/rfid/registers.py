"""Names of the MFRC522's registers and bits (NXP data sheet MFRC522, section 9)."""

from typing import Final

COMMAND: Final = 0x01
COM_IEN: Final = 0x02
DIV_IEN: Final = 0x03
COM_IRQ: Final = 0x04
DIV_IRQ: Final = 0x05
ERROR: Final = 0x06
STATUS1: Final = 0x07
STATUS2: Final = 0x08
FIFO_DATA: Final = 0x09
FIFO_LEVEL: Final = 0x0A
WATER_LEVEL: Final = 0x0B
CONTROL: Final = 0x0C
BIT_FRAMING: Final = 0x0D
COLL: Final = 0x0E
MODE: Final = 0x11
TX_MODE: Final = 0x12
RX_MODE: Final = 0x13
TX_CONTROL: Final = 0x14
TX_ASK: Final = 0x15
MOD_WIDTH: Final = 0x24
CRC_RESULT_H: Final = 0x21
CRC_RESULT_L: Final = 0x22
RF_CFG: Final = 0x26
T_MODE: Final = 0x2A
T_PRESCALER: Final = 0x2B
T_RELOAD_H: Final = 0x2C
T_RELOAD_L: Final = 0x2D
T_COUNTER_H: Final = 0x2E
T_COUNTER_L: Final = 0x2F
VERSION: Final = 0x37

# CommandReg (9.3.1.2) and the commands (10.3)
IDLE: Final = 0x00
CALC_CRC: Final = 0x03
NO_CMD_CHANGE: Final = 0x07
TRANSCEIVE: Final = 0x0C
MF_AUTHENT: Final = 0x0E
SOFT_RESET: Final = 0x0F
POWER_DOWN: Final = 0x10

# ComIrqReg (9.3.1.5); Set1 tells whether the marked bits are set or cleared
SET1: Final = 0x80
TX_IRQ: Final = 0x40
RX_IRQ: Final = 0x20
IDLE_IRQ: Final = 0x10
HI_ALERT_IRQ: Final = 0x08
LO_ALERT_IRQ: Final = 0x04
ERR_IRQ: Final = 0x02
TIMER_IRQ: Final = 0x01
ALL_IRQS: Final = 0x7F

CRC_IRQ: Final = 0x04
"""DivIrqReg (9.3.1.6)."""

# ErrorReg (9.3.1.7)
WR_ERR: Final = 0x80
TEMP_ERR: Final = 0x40
BUFFER_OVFL: Final = 0x10
COLL_ERR: Final = 0x08
CRC_ERR: Final = 0x04
PARITY_ERR: Final = 0x02
PROTOCOL_ERR: Final = 0x01

FLUSH_BUFFER: Final = 0x80
"""FIFOLevelReg (9.3.1.11)."""
START_SEND: Final = 0x80
"""BitFramingReg (9.3.1.14)."""

# CollReg (9.3.1.15)
VALUES_AFTER_COLL: Final = 0x80
COLL_POS_NOT_VALID: Final = 0x20
COLL_POS: Final = 0x1F

ANTENNA_ON: Final = 0x03
"""TxControlReg (9.3.2.5): both drivers."""
FORCE_100_ASK: Final = 0x40
"""TxASKReg (9.3.2.6): type A needs full modulation."""
CRC_EN: Final = 0x80
"""TxModeReg and RxModeReg (9.3.2.3, 9.3.2.4)."""
T_AUTO: Final = 0x80
"""TModeReg (9.3.3.10): the timer starts at the end of each transmission."""

FIFO_BYTES: Final = 64
MAX_SPI_HZ: Final = 10_000_000
"""8.1.2: the fastest SPI clock."""


def read_address(register: int) -> int:
    """The SPI byte that asks for a register (8.1.2.3)."""
    return (register << 1 & 0x7E) | 0x80


def write_address(register: int) -> int:
    """The SPI byte before what is written to a register (8.1.2.3)."""
    return register << 1 & 0x7E
