#!/bin/sh
# Makes the secrets of ops/compose.parts.yaml in ops/secrets, once. Keep a copy: without secret-key, DKIM keys and webhook
# secrets in the database cannot be read.
set -eu
cd "$(dirname "$0")"
if [ -e secrets ]; then
  echo 'ops/secrets is there already; nothing was changed.' >&2
  exit 1
fi

random() { head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n'; }

# Nobody else can enter the folder. The files in it are mounted into containers, whose accounts must be able to read them.
umask 022
mkdir -m 700 secrets
password=$(random)
random > secrets/secret-key
printf '%s' "$password" > secrets/database-password
printf 'postgres://postrider:%s@postgres:5432/postrider' "$password" > secrets/database-url
printf 'postgres://postrider:%s@pgbouncer:6432/postrider' "$password" > secrets/database-url-pooled
printf '"postrider" "%s"\n' "$password" > secrets/pgbouncer-users
echo 'Made ops/secrets.'
