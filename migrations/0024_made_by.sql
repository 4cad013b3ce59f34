-- Who stands behind a key or an invite, so that both can end when that person leaves. A key made with a key is its
-- person's, too; what the operator made is nobody's.

ALTER TABLE api_keys ADD COLUMN created_by text COLLATE "C" REFERENCES users (id);
ALTER TABLE invites ADD COLUMN created_by text COLLATE "C" REFERENCES users (id);

-- The audit log knows it of those that there are.
WITH RECURSIVE made (key_id, user_id) AS (
  SELECT target_id, actor_id FROM audit_log WHERE action = 'api_key.created' AND actor_type = 'user'
  UNION
  SELECT later.target_id, made.user_id
  FROM audit_log later JOIN made ON later.actor_id = made.key_id
  WHERE later.action = 'api_key.created' AND later.actor_type = 'api_key'
)
UPDATE api_keys SET created_by = users.id
FROM made JOIN users ON users.id = made.user_id
WHERE api_keys.id = made.key_id;

UPDATE invites SET created_by = users.id FROM users WHERE users.email = invites.invited_by;
