import { Button, Group, Text } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { Maximize2, Plus } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { rememberAssistant } from '../../frame/assistant-memory.ts';
import { ButtonLink } from '../../frame/links.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import { t } from '../../kit/translate.ts';
import { Conversation } from '../../parts/ai/conversation.tsx';
import { useStarters } from './starters.ts';

/** The assistant beside any screen; the address holds the invocations. */
export function Panel({ id }: { id: string }) {
  const [, show] = useUrlState('/ai', 'panel');
  const context = useContextOfPage();
  const starters = useStarters(context);
  const isWhole = useRouterState({ select: ({ location }) => location.pathname === '/ai' });
  useEffect(() => rememberAssistant(id), [id]);
  if (isWhole) return <Text c="dimmed">{t('The assistant is open on this page.')}</Text>;
  return (
    <>
      <Group gap={4} mb={8}>
        <ButtonLink
          to="/ai"
          search={{ c: id || undefined, panel: undefined }}
          size="compact-sm"
          variant="subtle"
          leftSection={<Maximize2 size={14} />}
        >
          {t('Full page')}
        </ButtonLink>
        {id !== '' && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<Plus size={14} />}
            onClick={() => show('assistant~', { isStep: true })}
          >
            {t('New')}
          </Button>
        )}
      </Group>
      <Conversation
        conversation={id || undefined}
        onShow={(conversation) => show(`assistant~${conversation}`)}
        starters={starters}
        context={context}
        place="panel"
        intro={<Text c="dimmed">{t('Answers from the catalog with your rights, and shows its sources.')}</Text>}
      />
    </>
  );
}

/** The entity on the current screen, sent with a question unless the user removes it. */
function useContextOfPage() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return useMemo(() => {
    const [, kind, blueprint, entity] = path.split('/').map(decoded);
    if (kind !== 'e' || !blueprint || !entity) return undefined;
    return { label: entity, data: { entity: { blueprint, identifier: entity } } };
  }, [path]);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
