export { createFavorites } from './favorites.module.ts';
