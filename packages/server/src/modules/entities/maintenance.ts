// Past the rights of callers: for the migrations and the demo alone.
export type { RewrittenBody } from './entities.deps.ts';
