import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { RefreshCw } from 'lucide-react';
import { useChange, useRead } from '../../api/query.ts';
import { useParam } from '../../frame/url-state.ts';
import { Block } from '../../kit/block.tsx';
import { useDelete } from '../../kit/delete.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { EmptyState, ErrorState, Reading } from '../../kit/states.tsx';
import { duration } from '../../kit/time.ts';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { ColourBadge } from '../../parts/badges.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ConnectorForm } from './connector-form.tsx';
import { type Server, type ServerTool, serverReads, waitsForReview } from './connector-things.ts';
import { ToolReview } from './tool-review.tsx';

/** A connected server: its state, and its tools that are offered, pending review or declined. */
export function Screen() {
  const id = useParam('server');
  const params = { server_identifier: id };
  const server = useRead('getMcpServer', { params });
  const tools = useRead('listMcpServerTools', { params });
  return (
    <Reading of={server} isScreen skeleton={<Skeleton height={320} />}>
      {(answer) => (
        <Stack gap="md" maw={960}>
          <Head server={answer.server} />
          <Standing server={answer.server} />
          <Reading of={tools}>{(found) => <Tools server={answer.server} tools={found.tools} />}</Reading>
        </Stack>
      )}
    </Reading>
  );
}

function Head({ server }: { server: Server }) {
  const params = { server_identifier: server.identifier };
  const refresh = useChange('refreshMcpServer', { staleAfter: [...serverReads] });
  const test = useChange('testMcpServer');
  const remove = useDelete('deleteMcpServer', {
    staleAfter: ['listMcpServers', 'listAiTools'],
    leadsTo: '/builder/connectors',
  });
  const [isEditing, { open, close }] = useDisclosure();
  const toast = useToast();
  const title = server.title || server.identifier;
  const read = async () => {
    try {
      const { tools } = await refresh.mutateAsync({ params });
      const count = tools.filter(waitsForReview).length;
      toast(
        count === 0
          ? t('Its tools were read; nothing waits for review')
          : t('{count} of its tools wait for review', { count }),
      );
    } catch {
      // the error is shown below the heading
    }
  };
  const ask = () =>
    remove.ask({
      input: { params },
      name: title,
      consequence: t(
        '{offered} offered tools go, with everything that was decided about them. This cannot be undone.',
        { offered: server.tools.offered },
      ),
      verb: t('Disconnect'),
      past: 'disconnected',
    });
  const tested = test.data?.test;
  return (
    <>
      <PageHeader
        trail={[{ to: '/builder/connectors', label: t('Connectors') }]}
        title={title}
        description={
          <Group gap={8}>
            <code style={{ overflowWrap: 'anywhere' }}>{server.url}</code>
            {!server.enabled && <ColourBadge colour="darkGray">{t('Off')}</ColourBadge>}
          </Group>
        }
        actions={
          <>
            <Button
              leftSection={<RefreshCw size={16} aria-hidden="true" />}
              loading={refresh.isPending}
              onClick={() => void read()}
            >
              {t('Read its tools')}
            </Button>
            <Button variant="default" loading={test.isPending} onClick={() => test.mutate({ params })}>
              {t('Test')}
            </Button>
            <Button variant="default" onClick={open}>
              {t('Change')}
            </Button>
            <Button variant="subtle" color="red" onClick={() => void ask()}>
              {t('Disconnect')}
            </Button>
          </>
        }
      />
      {refresh.error && <ErrorState error={refresh.error} what={t('Its tools could not be read')} />}
      {test.error && <ErrorState error={test.error} what={t('The server could not be tested')} />}
      {tested && (
        <Alert
          color={tested.reached ? 'green' : 'red'}
          title={tested.reached ? t('The server answered') : t('The server did not answer')}
          withCloseButton
          closeButtonLabel={t('Close')}
          onClose={() => test.reset()}
        >
          {tested.problem ??
            t('{count} tools in {milliseconds}, protocol {protocolVersion}. Nothing was kept.', {
              count: tested.tools.length,
              milliseconds: duration(tested.milliseconds),
              protocolVersion: tested.protocolVersion ?? t('unknown'),
            })}
        </Alert>
      )}
      {isEditing && <ConnectorForm server={server} onClose={close} />}
    </>
  );
}

function Standing({ server }: { server: Server }) {
  const { permissions, headers, checkedAt, problem, protocolVersion } = server;
  const allowed = [...permissions.roles, ...permissions.teams, ...permissions.users];
  return (
    <Block title={t('How it stands')}>
      {problem !== null && (
        <Alert color="red" title={t('Its tools could not be read the last time')} mb="sm">
          {t('{problem} What was approved before stays as it was.', { problem })}
        </Alert>
      )}
      <Text size="sm">
        {checkedAt ? (
          <>
            <Sentence text="Its tools were read <time/>" parts={{ time: <RelativeTime at={checkedAt} /> }} />
            {protocolVersion && t(', protocol {protocolVersion}', { protocolVersion })}.
          </>
        ) : (
          t('Its tools have never been read.')
        )}{' '}
        {headers.length === 0
          ? t('No header is sent.')
          : t('Headers that are sent: {headers}.', { headers: headers.join(', ') })}{' '}
        {allowed.length === 0
          ? t('Administrators alone may use its tools.')
          : t('Administrators may use its tools, and: {allowed}.', { allowed: allowed.join(', ') })}
      </Text>
    </Block>
  );
}

const groups = [
  { title: t('Waiting for review'), fits: waitsForReview },
  { title: t('Offered'), fits: ({ state }: ServerTool) => state === 'approved' },
  { title: t('Declined'), fits: ({ state }: ServerTool) => state === 'declined' },
  { title: t('Gone from the server'), fits: ({ state }: ServerTool) => state === 'gone' },
] as const;

function Tools({ server, tools }: { server: Server; tools: readonly ServerTool[] }) {
  if (tools.length === 0) {
    return (
      <EmptyState title={t('No tools yet')}>
        {server.checkedAt ? t('The server offers none.') : t('Read its tools, then approve those that may be offered.')}
      </EmptyState>
    );
  }
  return (
    <>
      {groups.map(({ title, fits }) => {
        const found = tools.filter(fits);
        if (found.length === 0) return null;
        return (
          <Block key={title} title={`${title} (${found.length})`}>
            <Stack gap="md">
              {found.map((tool) => (
                <ToolReview key={`${tool.name} ${tool.hash} ${tool.state}`} server={server.identifier} tool={tool} />
              ))}
            </Stack>
          </Block>
        );
      })}
    </>
  );
}
