// Past the rights of callers: for the migrations and the demo alone.
export { listDestinations } from './changelog/destination.store.ts';
