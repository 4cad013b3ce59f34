<?php

declare(strict_types=1);

namespace Postrider\Exception;

/** 409: the current state does not allow this. */
class ConflictException extends PostriderException
{
}
