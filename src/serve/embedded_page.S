/* The browser application as it was packed, linked into the executable. */
        .section .rodata
        .balign 16
        .globl  pyrometer_view_page
        .globl  pyrometer_view_page_end
        .hidden pyrometer_view_page
        .hidden pyrometer_view_page_end
pyrometer_view_page:
        .incbin PYROMETER_VIEW_PAGE
pyrometer_view_page_end:
        .section .note.GNU-stack, "", %progbits
