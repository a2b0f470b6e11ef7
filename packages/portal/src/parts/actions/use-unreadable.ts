import { useEffect, useState } from 'react';
import type { Issue } from '../refusal.ts';
import type { Backend } from './stored-action.ts';

const restMs = 300;

/** Templates of the backend that cannot be read, each with its path: the server keeps them, and they fail when it runs. */
export function useUnreadable(invocationMethod: Backend): readonly Issue[] {
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  useEffect(() => {
    let isLatest = true;
    const look = async () => {
      const { listTemplateBlocks, whyUnreadable } = await import('@portolan/jq');
      if (!isLatest) return;
      try {
        const blocks = listTemplateBlocks(invocationMethod as Parameters<typeof listTemplateBlocks>[0]);
        setIssues(
          blocks.flatMap(({ path, expression }) => {
            const message = whyUnreadable(expression);
            return message === undefined ? [] : [{ path: `/invocationMethod/${path.join('/')}`, message }];
          }),
        );
      } catch (error) {
        // braces that do not match; it cannot say in which text
        setIssues([{ path: '/invocationMethod', message: (error as Error).message }]);
      }
    };
    const rest = setTimeout(() => void look(), restMs);
    return () => {
      isLatest = false;
      clearTimeout(rest);
    };
  }, [invocationMethod]);
  return issues;
}
