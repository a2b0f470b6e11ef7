// Bypasses the callers' rights: only for the migrations and the demo.
export { listDestinations } from './changelog/destination.store.ts';
