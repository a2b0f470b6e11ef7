import type { LayoutRequest } from '../../parts/graph/layout.ts';
import { placeCards } from '../../parts/graph/place-cards.ts';

/** Places cards off the main thread. */
addEventListener('message', ({ data }: MessageEvent<LayoutRequest>) => postMessage(placeCards(data)));
