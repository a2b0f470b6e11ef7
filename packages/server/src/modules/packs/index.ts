export { createPacks } from './packs.module.ts';
