import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { Eye, EyeOff } from 'lucide-react';
import { t } from './translate.ts';

/** A password field with a button that reveals the text. */
export function PasswordField({ shows = 'the password', ...props }: PasswordInputProps & { shows?: string }) {
  return (
    <PasswordInput
      visibilityToggleButtonProps={{ 'aria-label': t('Show {shows}', { shows }), tabIndex: 0 }}
      visibilityToggleIcon={({ reveal }) =>
        reveal ? <EyeOff size={16} aria-hidden="true" /> : <Eye size={16} aria-hidden="true" />
      }
      {...props}
    />
  );
}
