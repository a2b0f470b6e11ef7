import { DialogForm, useContractForm } from '../../kit/form.tsx';
import { t } from '../../kit/translate.ts';
import { displayName, type KnownUser, roleNames } from './people-filter.ts';
import { RolesAndTeams } from './role-and-teams.tsx';

/** Edits roles and teams of a user. */
export function EditUser({ user, onClose }: { user: KnownUser; onClose: () => void }) {
  const form = useContractForm('patchUser', {
    initial: { roles: [...roleNames(user)], teams: [...(user.teams ?? [])] },
    input: (body) => ({ params: { user_email: user.email ?? '' }, body }),
    staleAfter: ['listUsers', 'listTeams'],
    done: t('{user} was saved', { user: displayName(user) }),
    onSaved: onClose,
  });
  return (
    <DialogForm
      form={form}
      title={t('Edit {user}', { user: displayName(user) })}
      verb={t('Save')}
      isReady={form.values.roles.length > 0}
      onClose={onClose}
    >
      <RolesAndTeams roles={form.field('roles')} teams={form.field('teams')} />
    </DialogForm>
  );
}
