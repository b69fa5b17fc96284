'use strict';
// The client under test: babbench conform --iut client.yaml
const { serve } = require('./adapter.js');
const { Playing } = require('./bab/playing.js');

serve({ implementation: 'iut-node 1' }, (hello, platform) => new Playing(hello, platform));
