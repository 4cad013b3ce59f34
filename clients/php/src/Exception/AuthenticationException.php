<?php

declare(strict_types=1);

namespace Postrider\Exception;

/** 401: no key, or one that is not valid any more. */
class AuthenticationException extends PostriderException
{
}
