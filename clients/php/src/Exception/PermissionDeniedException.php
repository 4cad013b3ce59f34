<?php

declare(strict_types=1);

namespace Postrider\Exception;

/** 403: this key may not do that. */
class PermissionDeniedException extends PostriderException
{
}
