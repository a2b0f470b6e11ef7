import { listenEarly } from './frame/early-keys.ts';
import { loadCatalogue } from './kit/translate.ts';

listenEarly();
// modules make texts as they load, so the catalogue is there before any of them
void loadCatalogue().then(() => import('./portal.tsx'));
