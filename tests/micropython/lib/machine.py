"""MicroPython's `machine` on a Pico whose pins end in simulated chips, for `tests/support/micropython.py`.

What a pin does is told together with the next transfer: one call to the simulation instead of three.
"""

import binascii

import simulated  # type: ignore[import-not-found]  # of run.mjs

_outputs: "list[str]" = []


def _tell(what: str) -> str:
    """One call to the simulation; what pins did comes first."""
    told = " ".join(_outputs)
    _outputs.clear()
    answer: str = simulated.call(f"{what};{told}")
    if answer == "ctrl-c":
        raise KeyboardInterrupt
    return answer


class Pin:
    OUT = 1

    def __init__(self, number: int, mode: "int | None" = None, *, value: "int | None" = None) -> None:
        self.number = number
        if mode == Pin.OUT and value is not None:
            self.value(value)

    def value(self, level: int) -> None:
        _outputs.append(f"{self.number}={level}")


class SPI:
    def __init__(
        self, number: int, *, baudrate: int, polarity: int, phase: int, sck: Pin, mosi: Pin, miso: Pin
    ) -> None:
        assert polarity == phase == 0, "the MFRC522 speaks SPI mode 0"
        self._place = f"{number} {sck.number} {mosi.number} {miso.number} {baudrate}"

    def write_readinto(self, sent: bytes, got: bytearray) -> None:
        told = binascii.hexlify(sent).decode()
        got[:] = binascii.unhexlify(_tell(f"spi {self._place} {told}"))


class SoftSPI(SPI):
    def __init__(self, *, baudrate: int, polarity: int, phase: int, sck: Pin, mosi: Pin, miso: Pin) -> None:
        super().__init__(-1, baudrate=baudrate, polarity=polarity, phase=phase, sck=sck, mosi=mosi, miso=miso)


class WDT:
    def __init__(self, *, timeout: int) -> None:
        assert timeout <= 8388, "the RP2040 takes no more"
        _tell(f"watchdog {timeout}")

    def feed(self) -> None:
        _tell("feed")


class _Memory:
    def __setitem__(self, address: int, value: int) -> None:
        _tell(f"mem32 {address} {value}")


mem32 = _Memory()


def reset() -> None:
    _tell("reset")
