import sql from 'sql-template-tag';

/**
 * Whether a grant `g` of a user `u` has not been ended by disabling the user. Enabling the user again does not open it;
 * letting the app in again does.
 */
export const isOpen = sql`(u.disabled_at is null or g.created_at > u.disabled_at)`;
