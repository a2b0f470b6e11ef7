import { useQuery } from '@tanstack/react-query';
import { t } from '../../kit/translate.ts';
import type { Layout, LayoutRequest } from '../../parts/graph/layout.ts';
import type { FocusNodes } from './focus-nodes.ts';
import type { Link } from './model-links.ts';

/** What is drawn, and what the layout has to know of it. */
export interface Graph {
  readonly nodes: FocusNodes;
  readonly edges: readonly Link[];
  readonly request: LayoutRequest;
}

/** The earlier graph stays until the next one is placed, so both come together. */
export interface PlacedGraph extends Graph {
  readonly layout: Layout;
}

/** A worker that has not answered by now is ended. */
const answerMsMax = 10_000;

/** The layout of a graph, computed in a worker, once per graph. */
export function useLayout(graph: Graph) {
  return useQuery({
    queryKey: ['layout', JSON.stringify(graph)],
    queryFn: async ({ signal }): Promise<PlacedGraph> => ({
      ...graph,
      layout: await placeInWorker(graph.request, signal),
    }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    placeholderData: (before) => before,
  });
}

async function placeInWorker(request: LayoutRequest, signal: AbortSignal): Promise<Layout> {
  const worker = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
  let deadline: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<Layout>((resolve, reject) => {
      const fail = () => reject(new Error(t('The cards could not be placed. Choose a smaller depth, or use the map.')));
      deadline = setTimeout(fail, answerMsMax);
      worker.addEventListener('message', ({ data }: MessageEvent<Layout>) => resolve(data));
      worker.addEventListener('error', fail);
      signal.addEventListener('abort', fail);
      worker.postMessage(request);
    });
  } finally {
    clearTimeout(deadline);
    worker.terminate();
  }
}
