/**
 * The addresses of the terms of the TDM Reservation Protocol (https://www.w3.org/2022/tdmrep/): that of EPUB first, then that of
 * PDF. Each is also found where the other one belongs.
 */
export const tdmNamespaces = ['http://www.w3.org/ns/tdmrep#', 'http://www.w3.org/ns/tdmrep/'] as const
