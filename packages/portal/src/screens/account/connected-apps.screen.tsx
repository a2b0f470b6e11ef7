import { Button, Stack } from '@mantine/core';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { useDelete } from '../../kit/delete.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { EmptyState, Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { planned } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { mcpScopeNames } from './mcp-scope-names.ts';

/** The apps that somebody let in, each with a way to shut it out. */
export function Screen() {
  const apps = useRead('listConnectedApps');
  return (
    <Stack gap="xl" maw={860}>
      <PageHeader
        title={t('Connected apps')}
        description={t('Programs that you let in to act as you over MCP, until you shut them out or their time ends.')}
      />
      <Reading of={apps}>
        {({ apps: list }) =>
          list.length === 0 ? (
            <EmptyState title={t('You let no app in')}>
              {t(
                'Add the address of this portal, ending in /v1/mcp, to an AI client. The client opens a page where you decide.',
              )}
            </EmptyState>
          ) : (
            <ul className={surfaces.list}>
              {list.map((app) => (
                <ConnectedApp key={app.id} app={app} />
              ))}
            </ul>
          )
        }
      </Reading>
    </Stack>
  );
}

function ConnectedApp({ app }: { app: AnswerOf<'listConnectedApps'>['apps'][number] }) {
  const { id, name, redirectHost, scopes, expiresAt, lastUsedAt } = app;
  const { ask, isPending } = useDelete('revokeConnectedApp', { staleAfter: ['listConnectedApps'] });
  const revocation = {
    input: { params: { app_id: id } },
    name,
    consequence: t('Its next request is refused. To use it again, let it in once more.'),
    verb: t('Shut out'),
    past: 'shut out',
  };
  return (
    <li className={surfaces.item}>
      <div>
        <strong>{name}</strong> <code>{redirectHost}</code>
        <div className={surfaces.detail}>{scopes.map((scope) => mcpScopeNames[scope]).join(' · ')}</div>
        <div className={surfaces.detail}>
          <Sentence
            text="until {until} · last used <time/>"
            values={{ until: planned(new Date(expiresAt)) }}
            parts={{ time: lastUsedAt ? <RelativeTime at={lastUsedAt} /> : <span>{t('never')}</span> }}
          />
        </div>
      </div>
      <Button
        size="xs"
        variant="default"
        onClick={() => void ask(revocation)}
        loading={isPending}
        aria-label={t('Shut out {name}', { name })}
      >
        {t('Shut out')}
      </Button>
    </li>
  );
}
