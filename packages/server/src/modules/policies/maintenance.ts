// Bypasses rights; only for the migrations and the demo.
export { compareReach } from './compare-access.ts';
