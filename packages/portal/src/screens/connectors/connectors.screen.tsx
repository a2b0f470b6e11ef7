import { Button, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useRead } from '../../api/query.ts';
import { AnchorLink } from '../../frame/links.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { EmptyState, Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { NeedsOperation } from '../../parts/access/needs.tsx';
import { ColourBadge } from '../../parts/badges.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ConnectorForm } from './connector-form.tsx';
import { type Server, serverAddress } from './connector-things.ts';

/** Connected MCP servers; the assistant may use only their approved tools. */
export function Screen() {
  const reading = useRead('listMcpServers');
  const [isAdding, { open, close }] = useDisclosure();
  const navigate = useNavigate();
  return (
    <Stack gap="md" maw={960}>
      <PageHeader
        title={t('Connectors')}
        description={t(
          'MCP servers of others. Their tools are offered to the assistant only after somebody has read and approved each definition, and wait again when it changes.',
        )}
        actions={
          <NeedsOperation operation="createMcpServer" to={t('connect servers')}>
            <Button leftSection={<Plus size={16} aria-hidden="true" />} onClick={open}>
              {t('Connect a server')}
            </Button>
          </NeedsOperation>
        }
      />
      <Reading of={reading}>
        {({ servers }) =>
          servers.length === 0 ? (
            <EmptyState
              title={t('No server is connected')}
              action={<Button onClick={open}>{t('Connect a server')}</Button>}
            >
              {t('Name an MCP server by its address, read its tools, then approve those that may be offered.')}
            </EmptyState>
          ) : (
            <ul className={surfaces.list} aria-label={t('Connected servers')}>
              {servers.map((server) => (
                <li key={server.identifier} className={surfaces.item}>
                  <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
                    <AnchorLink {...serverAddress(server.identifier)} fw={600}>
                      {server.title || server.identifier}
                    </AnchorLink>
                    <div className={surfaces.detail}>
                      {t('{url} · {offered} of {all} tools offered', {
                        url: server.url,
                        offered: server.tools.offered,
                        all: server.tools.all,
                      })}
                      {server.checkedAt && (
                        <>
                          {' '}
                          <Sentence text="· read <time/>" parts={{ time: <RelativeTime at={server.checkedAt} /> }} />
                        </>
                      )}
                    </div>
                  </div>
                  <ServerState server={server} />
                </li>
              ))}
            </ul>
          )
        }
      </Reading>
      {isAdding && <ConnectorForm onClose={close} onSaved={(identifier) => void navigate(serverAddress(identifier))} />}
    </Stack>
  );
}

function ServerState({ server: { enabled, problem, tools } }: { server: Server }) {
  return (
    <Group gap={4}>
      {!enabled && <ColourBadge colour="darkGray">{t('Off')}</ColourBadge>}
      {problem !== null && <ColourBadge colour="red">{t('Could not be read')}</ColourBadge>}
      {tools.toReview > 0 && (
        <ColourBadge colour="gold">{t('{toReview} to review', { toReview: tools.toReview })}</ColourBadge>
      )}
    </Group>
  );
}
