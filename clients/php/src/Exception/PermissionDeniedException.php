<?php

declare(strict_types=1);

namespace Postrider\Exception;

/** 403: the key does not allow this. */
class PermissionDeniedException extends PostriderException
{
}
