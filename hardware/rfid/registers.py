"""Names of the MFRC522's registers and bits (NXP data sheet MFRC522, section 9).

Plain numbers: also runs on the MicroPython of the nodes.
"""

COMMAND = 0x01
COM_IEN = 0x02
DIV_IEN = 0x03
COM_IRQ = 0x04
DIV_IRQ = 0x05
ERROR = 0x06
STATUS1 = 0x07
STATUS2 = 0x08
FIFO_DATA = 0x09
FIFO_LEVEL = 0x0A
WATER_LEVEL = 0x0B
CONTROL = 0x0C
BIT_FRAMING = 0x0D
COLL = 0x0E
MODE = 0x11
TX_MODE = 0x12
RX_MODE = 0x13
TX_CONTROL = 0x14
TX_ASK = 0x15
MOD_WIDTH = 0x24
CRC_RESULT_H = 0x21
CRC_RESULT_L = 0x22
RF_CFG = 0x26
T_MODE = 0x2A
T_PRESCALER = 0x2B
T_RELOAD_H = 0x2C
T_RELOAD_L = 0x2D
T_COUNTER_H = 0x2E
T_COUNTER_L = 0x2F
VERSION = 0x37

# CommandReg (9.3.1.2) and the commands (10.3)
IDLE = 0x00
CALC_CRC = 0x03
NO_CMD_CHANGE = 0x07
TRANSCEIVE = 0x0C
MF_AUTHENT = 0x0E
SOFT_RESET = 0x0F
POWER_DOWN = 0x10

# ComIrqReg (9.3.1.5); Set1 tells whether the marked bits are set or cleared
SET1 = 0x80
TX_IRQ = 0x40
RX_IRQ = 0x20
IDLE_IRQ = 0x10
HI_ALERT_IRQ = 0x08
LO_ALERT_IRQ = 0x04
ERR_IRQ = 0x02
TIMER_IRQ = 0x01
ALL_IRQS = 0x7F

CRC_IRQ = 0x04
"""DivIrqReg (9.3.1.6)."""

# ErrorReg (9.3.1.7)
WR_ERR = 0x80
TEMP_ERR = 0x40
BUFFER_OVFL = 0x10
COLL_ERR = 0x08
CRC_ERR = 0x04
PARITY_ERR = 0x02
PROTOCOL_ERR = 0x01

FLUSH_BUFFER = 0x80
"""FIFOLevelReg (9.3.1.11)."""
START_SEND = 0x80
"""BitFramingReg (9.3.1.14)."""

# CollReg (9.3.1.15)
VALUES_AFTER_COLL = 0x80
COLL_POS_NOT_VALID = 0x20
COLL_POS = 0x1F

ANTENNA_ON = 0x03
"""TxControlReg (9.3.2.5): both drivers."""
FORCE_100_ASK = 0x40
"""TxASKReg (9.3.2.6): type A needs full modulation."""
CRC_EN = 0x80
"""TxModeReg and RxModeReg (9.3.2.3, 9.3.2.4)."""
T_AUTO = 0x80
"""TModeReg (9.3.3.10): the timer starts at the end of each transmission."""

FIFO_BYTES = 64
MAX_SPI_HZ = 10_000_000
"""8.1.2: the fastest SPI clock."""


def read_address(register: int) -> int:
    """The SPI byte that asks for a register (8.1.2.3)."""
    return (register << 1 & 0x7E) | 0x80


def write_address(register: int) -> int:
    """The SPI byte before what is written to a register (8.1.2.3)."""
    return register << 1 & 0x7E
