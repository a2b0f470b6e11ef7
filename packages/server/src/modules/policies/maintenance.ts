// Past the rights of callers: for the migrations and the demo alone.
export { compareReach } from './compare-access.ts';
