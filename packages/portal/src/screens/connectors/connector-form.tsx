import { Alert, Button, Checkbox, Group, MultiSelect, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/query.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { useTeams } from '../../parts/entities/team-form.ts';
import { ErrorState } from '../../parts/states.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { headersOf, type Server, serverReads } from './connector-things.ts';

/** Connects a server or changes one. Values of headers are sealed and never shown again; empty, they stay. */
export function ConnectorForm({
  server,
  onClose,
  onSaved,
}: {
  server?: Server;
  onClose: () => void;
  onSaved?: (identifier: string) => void;
}) {
  const [identifier, setIdentifier] = useState(server?.identifier ?? '');
  const [title, setTitle] = useState(server?.title ?? '');
  const [url, setUrl] = useState(server?.url ?? '');
  const [headers, setHeaders] = useState('');
  const [enabled, setEnabled] = useState(server?.enabled ?? true);
  const [roles, setRoles] = useState([...(server?.permissions.roles ?? [])]);
  const [teams, setTeams] = useState([...(server?.permissions.teams ?? [])]);
  const [users, setUsers] = useState([...(server?.permissions.users ?? [])]);
  const [problem, setProblem] = useState<string>();
  const create = useChange('createMcpServer', { staleAfter: [...serverReads] });
  const patch = useChange('patchMcpServer', { staleAfter: [...serverReads] });
  const known = useTeams();
  const toast = useToast();
  const error = create.error ?? patch.error;
  const isMoved = server !== undefined && url.trim() !== server.url;
  const save = async () => {
    setProblem(undefined);
    let sent: Record<string, string> | undefined;
    try {
      sent = headersOf(headers);
    } catch (failure) {
      return setProblem((failure as Error).message);
    }
    const body = {
      title: title.trim() || null,
      url: url.trim(),
      enabled,
      permissions: { roles, teams, users },
      ...(sent ? { headers: sent } : {}),
    };
    try {
      if (server) await patch.mutateAsync({ params: { server_identifier: server.identifier }, body });
      else await create.mutateAsync({ body: { identifier, ...body } });
      toast(`${title.trim() || identifier} was ${server ? 'changed' : 'connected'}`);
      onClose();
      onSaved?.(identifier);
    } catch {
      // the answer is shown above the fields
    }
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={server ? `Change ${server.title || server.identifier}` : 'Connect a server'}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Stack>
          {error && <ErrorState error={error} what="The server was not stored" />}
          <TextInput
            label="Identifier"
            description="Begins the names of its tools, such as issue-tracker"
            required
            maxLength={24}
            readOnly={server !== undefined}
            value={identifier}
            onChange={({ currentTarget }) => setIdentifier(currentTarget.value)}
          />
          <TextInput
            label="Title"
            maxLength={200}
            value={title}
            onChange={({ currentTarget }) => setTitle(currentTarget.value)}
          />
          <TextInput
            label="Address"
            description="Of its MCP endpoint, such as https://tools.example.com/mcp"
            type="url"
            required
            value={url}
            onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          />
          {isMoved && (
            <Alert color="yellow" title="Another address is another server">
              Every tool waits for review again.
            </Alert>
          )}
          <Textarea
            label="Headers"
            description={
              server && server.headers.length > 0
                ? `One on each line, Name: value. Empty: those that are sent stay (${server.headers.join(', ')})`
                : 'One on each line, Name: value. Values are sealed; {{ .secrets["NAME"] }} stands for a secret'
            }
            autosize
            minRows={2}
            autoComplete="off"
            spellCheck={false}
            error={problem}
            value={headers}
            onChange={({ currentTarget }) => setHeaders(currentTarget.value)}
          />
          <TagsInput
            label="Roles that may use its tools"
            description="Administrators may in any case"
            data={['Member']}
            value={roles}
            onChange={setRoles}
          />
          <MultiSelect
            label="Teams that may use its tools"
            data={[...new Map(known.teams.map((team) => [known.entityForm(team), team.name])).entries()].map(
              ([value, label]) => ({ value, label }),
            )}
            searchable
            value={teams}
            onChange={setTeams}
          />
          <TagsInput
            label="People who may use its tools"
            description="By their addresses, Enter after each"
            acceptValueOnBlur
            value={users}
            onChange={setUsers}
          />
          <Checkbox
            label="Offer its approved tools"
            checked={enabled}
            onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={create.isPending || patch.isPending}
              disabled={identifier.trim() === '' || url.trim() === ''}
            >
              {server ? 'Save' : 'Connect'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
