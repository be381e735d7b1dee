"""Operations -> expressions and statements, by symbolic evaluation that keeps their order."""
