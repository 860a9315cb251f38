"""Rule sets analysed: what each rule contributes, how far rules can get, and rules learned."""
