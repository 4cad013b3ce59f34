<?php

declare(strict_types=1);

namespace Postrider\Exception;

/** 404: no such thing, or not yours. */
class NotFoundException extends PostriderException
{
}
