import { Alert, Checkbox, MultiSelect, TagsInput, Textarea, TextInput } from '@mantine/core';
import { call } from '../../api/api.ts';
import { DialogForm, FieldProblem, useSentForm } from '../../kit/form.tsx';
import { t } from '../../kit/translate.ts';
import { useTeams } from '../../parts/entities/team-form.ts';
import { parseHeaders, type Server, serverReads } from './connector-things.ts';

/** Connects or changes a server. Header values are stored sealed and never shown again; empty ones stay unchanged. */
export function ConnectorForm({
  server,
  onClose,
  onSaved,
}: {
  server?: Server;
  onClose: () => void;
  onSaved?: (identifier: string) => void;
}) {
  const form = useSentForm({
    initial: {
      identifier: server?.identifier ?? '',
      title: server?.title ?? '',
      url: server?.url ?? '',
      headers: '',
      enabled: server?.enabled ?? true,
      roles: [...(server?.permissions.roles ?? [])],
      teams: [...(server?.permissions.teams ?? [])],
      users: [...(server?.permissions.users ?? [])],
    },
    send: async ({ identifier, title, url, headers, enabled, roles, teams, users }) => {
      const sent = sentHeaders(headers);
      const body = {
        title: title.trim() || null,
        url: url.trim(),
        enabled,
        permissions: { roles, teams, users },
        ...(sent ? { headers: sent } : {}),
      };
      if (server) await call('patchMcpServer', { params: { server_identifier: server.identifier }, body });
      else await call('createMcpServer', { body: { identifier, ...body } });
    },
    staleAfter: serverReads,
    done: ({ title: typed, identifier }) => {
      const title = typed.trim() || identifier;
      return server ? t('{title} was changed', { title }) : t('{title} was connected', { title });
    },
    onSaved: (_, { identifier }) => {
      onClose();
      onSaved?.(identifier);
    },
  });
  const known = useTeams();
  const { identifier, url } = form.values;
  const isMoved = server !== undefined && url.trim() !== server.url;
  return (
    <DialogForm
      form={form}
      size="lg"
      title={server ? t('Change {title}', { title: server.title || server.identifier }) : t('Connect a server')}
      verb={server ? t('Save') : t('Connect')}
      refused={t('The server was not stored')}
      isReady={identifier.trim() !== '' && url.trim() !== ''}
      onClose={onClose}
    >
      <TextInput
        label={t('Identifier')}
        description={t('Begins the names of its tools, such as issue-tracker')}
        required
        maxLength={24}
        readOnly={server !== undefined}
        {...form.field('identifier')}
      />
      <TextInput label={t('Title')} maxLength={200} {...form.field('title')} />
      <TextInput
        label={t('Address')}
        description={t('Of its MCP endpoint, such as https://tools.example.com/mcp')}
        type="url"
        required
        {...form.field('url')}
      />
      {isMoved && (
        <Alert color="yellow" title={t('Another address is another server')}>
          {t('Every tool waits for review again.')}
        </Alert>
      )}
      <Textarea
        label={t('Headers')}
        description={
          server && server.headers.length > 0
            ? t('One on each line, Name: value. Empty: those that are sent stay ({headers})', {
                headers: server.headers.join(', '),
              })
            : 'One on each line, Name: value. Values are sealed; {{ .secrets["NAME"] }} stands for a secret'
        }
        autosize
        minRows={2}
        autoComplete="off"
        spellCheck={false}
        {...form.field('headers')}
      />
      <TagsInput
        label={t('Roles that may use its tools')}
        description={t('Administrators may in any case')}
        data={['Member']}
        {...form.field('roles')}
      />
      <MultiSelect
        label={t('Teams that may use its tools')}
        data={[...new Map(known.teams.map((team) => [known.entityForm(team), team.name])).entries()].map(
          ([value, label]) => ({ value, label }),
        )}
        searchable
        {...form.field('teams')}
      />
      <TagsInput
        label={t('People who may use its tools')}
        description={t('By their addresses, Enter after each')}
        acceptValueOnBlur
        {...form.field('users')}
      />
      <Checkbox label={t('Offer its approved tools')} {...form.box('enabled')} />
    </DialogForm>
  );
}

function sentHeaders(text: string): Record<string, string> | undefined {
  try {
    return parseHeaders(text);
  } catch (error) {
    throw new FieldProblem('headers', (error as Error).message);
  }
}
