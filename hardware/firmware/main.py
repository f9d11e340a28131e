"""What a node runs when it starts: `hardware.firmware.install` copies this file there as /main.py."""

if __name__ == "__main__":
    from hardware.firmware import config
    from hardware.firmware.pico import run

    run(config)
