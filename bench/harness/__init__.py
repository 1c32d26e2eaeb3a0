"""What every benchmark needs: contenders, interleaved rounds, CPU times, ratios and tables."""
