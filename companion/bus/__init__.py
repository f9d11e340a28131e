"""MQTT: client, embedded broker, roles."""
