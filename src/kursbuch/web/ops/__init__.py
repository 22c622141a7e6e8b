"""Operations: health, metrics, logs and maintenance."""
