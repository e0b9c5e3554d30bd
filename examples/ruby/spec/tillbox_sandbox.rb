# frozen_string_literal: true

require 'json'
require 'net/http'
require 'openssl'
require 'socket'
require 'timeout'

# A sandbox of the payment service for RSpec: `include_context 'with a sandbox'` in a describe.
#
# It uses the sandbox of `npx tillbox exec -- rspec`, and without it starts one for this run. Before each example
# everything in it is deleted.
class TillboxSandbox
  FINAL = %w[SUCCESS FAIL CLOSED].freeze

  attr_reader :url, :api_key, :app_id, :merchant_id, :terminal_sn, :webhook_secret

  def self.running
    @running ||= new(ENV['TILLBOX_BASE_URL'] || start)
  end

  # Starts a sandbox that ends with this process.
  def self.start
    own = 'node_modules/.bin/tillbox'
    flags = %w[sandbox start --port 0 --ephemeral --json --set withParent=true]
    child = IO.popen([File.exist?(own) ? own : 'tillbox', *flags])
    at_exit { Process.kill('TERM', child.pid) }
    JSON.parse(child.gets)['url']
  rescue Errno::ENOENT
    raise 'No sandbox: npm install --save-dev tillbox, or run the specs with npx tillbox exec -- rspec'
  end

  def initialize(url)
    @url = url
    connection = control(:get, 'connection')
    @api_key, @app_id, @merchant_id = connection.values_at('apiKey', 'appId', 'merchantId')
    @terminal_sn = connection['terminals'].first
    @webhook_secret = control(:get, 'webhook-secret')['secret']
  end

  # Waits for a transaction, by its id or its order. Returns its record.
  def wait_for(payment, status = 'SUCCESS', timeout: 10)
    deadline = now + timeout
    loop do
      found = find(payment)
      state = found['status']
      return found['record'] if state == status

      if FINAL.include?(state) || now > deadline
        raise "#{payment} is #{state || 'not there'}, not #{status}: #{JSON.pretty_generate(found['timeline'])}"
      end
      sleep 0.02
    end
  end

  # Decides the next payments of the terminal: insufficient-funds, late-approval, ... (tillbox outcomes).
  def outcome(name, times: 1)
    control(:post, "terminals/#{terminal_sn}/queue", outcome: name, times: times)
  end

  # Moves the clock forward. Everything that falls due has happened afterwards, its webhooks included.
  def advance(seconds)
    control(:post, 'clock', action: 'advance', milliseconds: (seconds * 1000).round)
  end

  # Calls the control interface, which can do more: docs/control-interface.md of tillbox.
  def control(method, path, body = nil)
    uri = URI("#{url}/_sandbox/#{path}")
    headers = { 'Content-Type' => 'application/json', 'X-Sandbox-Token' => ENV.fetch('TILLBOX_TOKEN', '') }
    http = Net::HTTP.new(uri.host, uri.port, nil) # no proxy reaches this machine
    http.read_timeout = 130
    text = http.send_request(method.to_s.upcase, uri.request_uri, body&.to_json, headers).body
    answer = JSON.parse(text)
    raise "#{method} #{path}: #{text}" unless answer['code'] == '0'

    answer['data']
  end

  # Checks the signature of a webhook. headers: names in lower case; body: the bytes as they came.
  def self.genuine?(headers, body, secret)
    made = OpenSSL::HMAC.hexdigest('SHA256', secret, body)
    # for a while after a rotation, the second header has the signature by the secret before
    %w[x-signature x-sandbox-previous-signature].any? do |name|
      OpenSSL.secure_compare(made, headers.fetch(name, ''))
    end
  end

  private

  def find(payment)
    newest, = control(:get, "transactions?limit=1&#{URI.encode_www_form(order: payment)}")['transactions']
    payment = newest['transactionId'] if newest
    payment.match?(/\A\d{16}\z/) ? control(:get, "transactions/#{payment}") : {}
  end

  def now
    Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end
end

# Receives webhooks at `url`.
class TillboxWebhooks
  attr_reader :url

  def initialize(secret)
    @secret = secret
    @received = Queue.new
    @server = TCPServer.new('127.0.0.1', 0)
    @url = "http://127.0.0.1:#{@server.addr[1]}/"
    @thread = Thread.new { loop { receive(@server.accept) } }
  end

  # Returns the next webhook; fails where none comes, or its signature is wrong.
  def next(timeout: 10)
    headers, body = Timeout.timeout(timeout, nil, 'No webhook came') { @received.pop }
    raise "The signature of this webhook is wrong: #{body}" unless TillboxSandbox.genuine?(headers, body, @secret)

    JSON.parse(body)
  end

  def close
    @thread.kill
    @server.close
  end

  private

  def receive(connection)
    lines = connection.gets("\r\n\r\n").lines.drop(1).map(&:chomp).reject(&:empty?)
    headers = lines.to_h { |line| line.split(': ', 2) }.transform_keys(&:downcase)
    @received << [headers, connection.read(headers['content-length'].to_i)]
    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    connection.close
  end
end

RSpec.shared_context 'with a sandbox' do
  let(:sandbox) { TillboxSandbox.running }
  let(:webhooks) { @webhooks = TillboxWebhooks.new(sandbox.webhook_secret) }

  before { sandbox.control(:post, 'reset', everything: true) }
  after { @webhooks&.close }
end
