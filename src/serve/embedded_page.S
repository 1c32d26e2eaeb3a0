/* The browser application as it was packed, linked into the executable. */
        .section .rodata
        .balign 16
        .globl  kPyrometerViewPage
        .globl  kPyrometerViewPageEnd
        .hidden kPyrometerViewPage
        .hidden kPyrometerViewPageEnd
kPyrometerViewPage:
        .incbin PYROMETER_VIEW_PAGE
kPyrometerViewPageEnd:
        .section .note.GNU-stack, "", %progbits
