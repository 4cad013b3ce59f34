<?php

declare(strict_types=1);

namespace Postrider\Exception;

/** 401: the key is missing, unknown, expired or revoked. */
class AuthenticationException extends PostriderException
{
}
