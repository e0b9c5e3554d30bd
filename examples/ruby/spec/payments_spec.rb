# frozen_string_literal: true

require 'securerandom'
require_relative 'tillbox_sandbox'

RSpec.describe 'Payments' do
  include_context 'with a sandbox'

  # Stands for your shop: it calls the payment service as your code does.
  def sell(order, **members)
    headers = {
      'Authorization' => "Bearer #{sandbox.api_key}",
      'Content-Type' => 'application/json',
      'X-Client-Request-Id' => SecureRandom.uuid,
      'X-Timestamp' => (Time.now.to_f * 1000).to_i.to_s
    }
    sale = { amount: 1000, priceCurrency: 'USD', referenceOrderId: order, transactionRequestId: SecureRandom.hex }
    Net::HTTP.post(URI("#{sandbox.url}/v1/semi-integration/transaction/sale"), sale.merge(members).to_json, headers)
  end

  it 'approves a sale, and its webhook is genuine' do
    sell('ORDER-1', notifyUrl: webhooks.url)
    paid = sandbox.wait_for('ORDER-1')
    expect(webhooks.next).to include('transactionId' => paid['transactionId'], 'transactionStatus' => 'S')
  end

  it 'takes no forged webhook for genuine' do
    forged = { 'x-signature' => '0' * 64 }
    expect(TillboxSandbox.genuine?(forged, '{}', sandbox.webhook_secret)).to be false
    expect(TillboxSandbox.genuine?({}, '{}', sandbox.webhook_secret)).to be false
  end

  it 'declines a sale' do
    sandbox.outcome('insufficient-funds')
    sell('100002')
    expect(sandbox.wait_for('100002', 'FAIL')['transactionResultCode']).to eq '051'
  end

  it 'approves a sale late' do
    sandbox.outcome('late-approval')
    sell('ORDER-3')
    pending = sandbox.wait_for('ORDER-3', 'PROCESSING')
    sandbox.advance(120)
    sandbox.wait_for(pending['transactionId'])
  end

  it 'is empty before each example' do
    expect(sandbox.control(:get, 'transactions')['transactions']).to eq []
  end
end
