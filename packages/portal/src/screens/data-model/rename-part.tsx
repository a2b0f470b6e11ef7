import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { OperationName } from '../../api/api.ts';
import { useChange } from '../../api/query.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { useToast } from '../../parts/toasts.tsx';

const stale: OperationName[] = ['listBlueprints', 'getBlueprint', 'getBlueprintPermissions'];

/** Gives a property or a relation another key: the values of entities and what refers to it follow, at once. */
export function RenamePart({
  blueprint,
  part,
  what,
  isDirty,
  onClose,
}: {
  blueprint: string;
  part: string;
  what: 'property' | 'relation' | 'mirror';
  isDirty: boolean;
  onClose: () => void;
}) {
  const [name, setName] = useState(part);
  const property = useChange('renameProperty', { staleAfter: stale });
  const relation = useChange('renameRelation', { staleAfter: stale });
  const mirror = useChange('renameMirror', { staleAfter: stale });
  const toast = useToast();
  const done = {
    onSuccess: () => {
      toast(`${part} is ${name} now`);
      onClose();
    },
  };
  const run = () => {
    const blueprint_identifier = blueprint;
    if (what === 'property') {
      property.mutate(
        { params: { blueprint_identifier, property_identifier: part }, body: { newPropertyName: name } },
        done,
      );
    } else if (what === 'relation') {
      relation.mutate(
        { params: { blueprint_identifier, relation_identifier: part }, body: { newRelationIdentifier: name } },
        done,
      );
    } else {
      mirror.mutate(
        { params: { blueprint_identifier, property_identifier: part }, body: { newMirrorName: name } },
        done,
      );
    }
  };
  const used = { property, relation, mirror }[what];
  return (
    <Dialog opened onClose={onClose} title={`Change key of ${part}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <Stack>
          {used.error && (
            <Alert color="red" role="alert">
              {used.error.message}
            </Alert>
          )}
          <Text>
            Values of entities, permissions and paths follow. Scripts and mappings outside of the portal have to be
            changed by hand.
          </Text>
          {isDirty && (
            <Alert color="yellow">Save or discard the other changes first: a key changes at once, not with them.</Alert>
          )}
          <TextInput
            label="New key"
            value={name}
            maxLength={100}
            data-autofocus
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={used.isPending} disabled={isDirty || name === '' || name === part}>
              Change key
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
