// Bypasses rights; only for the migrations and the demo.
export { compareAccess } from './compare-access.ts';
